/** Buttons, and links styled as buttons. */
import type { ReactNode } from 'react';
import { Button as AriaButton, Link, type ButtonProps } from 'react-aria-components';

type Variant = {
  readonly variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly isSmall?: boolean;
  readonly children: ReactNode;
};

const classOf = ({ variant = 'plain', isSmall = false }: Variant, more = ''): string =>
  `button ${variant} ${isSmall ? 'small' : ''} ${more}`;

type Props = Omit<ButtonProps, 'children' | 'className'> & Variant;

export function Button({ variant, isSmall, children, ...props }: Props) {
  return (
    <AriaButton {...props} className={classOf({ variant, isSmall, children })}>
      {children}
    </AriaButton>
  );
}

/** The label is the accessible name and the title. */
export function IconButton({
  variant = 'quiet',
  isSmall,
  children,
  label,
  ...props
}: Props & { readonly label: string }) {
  return (
    <span title={label}>
      <AriaButton
        {...props}
        aria-label={label}
        className={classOf({ variant, isSmall, children }, 'icon')}
      >
        {children}
      </AriaButton>
    </span>
  );
}

export function LinkButton({
  variant,
  isSmall,
  children,
  href,
}: Variant & { readonly href: string }) {
  return (
    <Link href={href} className={classOf({ variant, isSmall, children })}>
      {children}
    </Link>
  );
}
