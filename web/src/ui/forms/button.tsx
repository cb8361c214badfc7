/** Buttons, and links styled as buttons. */
import './button.css';
import type { ReactNode } from 'react';
import { Button as AriaButton, Link, type ButtonProps } from 'react-aria-components';

type Look = {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly isSmall?: boolean;
  readonly children: ReactNode;
};

const classOf = ({ look = 'plain', isSmall = false }: Look, more = ''): string =>
  `button ${look} ${isSmall ? 'small' : ''} ${more}`;

type Props = Omit<ButtonProps, 'children' | 'className'> & Look;

export function Button({ look, isSmall, children, ...props }: Props) {
  return (
    <AriaButton {...props} className={classOf({ look, isSmall, children })}>
      {children}
    </AriaButton>
  );
}

/** The label is the accessible name and the title. */
export function IconButton({
  look = 'quiet',
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
        className={classOf({ look, isSmall, children }, 'icon')}
      >
        {children}
      </AriaButton>
    </span>
  );
}

export function LinkButton({ look, isSmall, children, href }: Look & { readonly href: string }) {
  return (
    <Link href={href} className={classOf({ look, isSmall, children })}>
      {children}
    </Link>
  );
}
