/** Isolates a screen or component that failed to render or to load. */
import { Component, type ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';
import { Button } from '../forms/button.tsx';
import { LoadError } from './lazy-with-retry.tsx';
import { Note } from '../feedback/note.tsx';

type Props = { readonly children: ReactNode };
type State = 'well' | 'broken' | 'not-loaded';

export class ErrorBoundary extends Component<Props, { readonly state: State }> {
  override state: { readonly state: State } = { state: 'well' };

  static getDerivedStateFromError(error: unknown): { readonly state: State } {
    return { state: error instanceof LoadError ? 'not-loaded' : 'broken' };
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof LoadError) error.retry();
  }

  override render() {
    const { state } = this.state;
    if (state === 'well') return this.props.children;
    return (
      <Note tone="bad" isLive>
        {state === 'broken' ? (
          <p>
            <FormattedMessage id="ui.broken" />
          </p>
        ) : (
          <>
            <p>
              <FormattedMessage id="ui.notLoaded" />
            </p>
            <p>
              <FormattedMessage id="ui.notLoadedHint" />
            </p>
          </>
        )}
        <div className="row">
          {state === 'not-loaded' && (
            <Button isSmall variant="primary" onPress={() => this.setState({ state: 'well' })}>
              <FormattedMessage id="ui.retry" />
            </Button>
          )}
          <Button isSmall onPress={() => window.location.reload()}>
            <FormattedMessage id="ui.reload" />
          </Button>
        </div>
      </Note>
    );
  }
}
