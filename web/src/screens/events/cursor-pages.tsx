/** The pages of the event list. Cursors only lead forward; the way back is kept in the history state of the tab. */
import { useIntl } from 'react-intl';
import { useLocation, useNavigate } from 'react-router';
import { Button } from '../../ui/forms/button.tsx';

export function CursorPages({
  next,
  address,
}: {
  readonly next: string | null;
  readonly address: URLSearchParams;
}) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const { state } = useLocation();
  const trail = (state as { trail?: readonly string[] } | null)?.trail ?? [];
  const cursor = address.get('cursor');
  if (cursor === null && next === null) return null;
  function go(to: string, behind: readonly string[]) {
    const search = new URLSearchParams(address);
    if (to === '') search.delete('cursor');
    else search.set('cursor', to);
    void navigate({ search: search.toString() }, { state: { trail: behind } });
    window.scrollTo({ top: 0 });
  }
  return (
    <nav className="pages" aria-label={formatMessage({ id: 'ui.pages' })}>
      <Button isSmall isDisabled={cursor === null} onPress={() => go('', [])}>
        {formatMessage({ id: 'events.firstPage' })}
      </Button>
      <span className="row">
        <Button
          isSmall
          isDisabled={cursor === null}
          onPress={() => go(trail.at(-1) ?? '', trail.slice(0, -1))}
        >
          {formatMessage({ id: 'ui.previous' })}
        </Button>
        <Button
          isSmall
          isDisabled={next === null}
          onPress={() => {
            if (next !== null) go(next, [...trail, cursor ?? '']);
          }}
        >
          {formatMessage({ id: 'ui.next' })}
        </Button>
      </span>
    </nav>
  );
}
