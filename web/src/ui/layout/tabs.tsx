/** Tabs whose panels have their own URLs. */
import { useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useOverflow } from './use-overflow.ts';

type Tab = { readonly to: string; readonly label: string; readonly isExact?: boolean };

type TabsProps = { readonly label: string; readonly tabs: readonly Tab[] };

export function Tabs({ label, tabs }: TabsProps) {
  const bar = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useOverflow(bar, '[aria-current="page"]', `${pathname} ${label}`);
  return (
    <nav className="tabs" aria-label={label} ref={bar}>
      {tabs.map(({ to, label: text, isExact = false }) => (
        <NavLink key={to} to={to} end={isExact}>
          {text}
        </NavLink>
      ))}
    </nav>
  );
}
