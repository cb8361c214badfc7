/** Above the list: the number of events, the switch of live updates, and the button that shows held events. */
import { useEffect, useState } from 'react';
import { Switch } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import styles from './events.module.css';

/** True when scrolled away from the top. */
export function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const update = () => setScrolled(window.scrollY > 240);
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return isScrolled;
}

export function EventCount({
  total,
  total_exact: isExact,
}: {
  readonly total: number;
  readonly total_exact: boolean;
}) {
  const { formatMessage } = useIntl();
  const id = isExact ? 'events.count' : 'events.countAtLeast';
  return <span className="soft small numbers">{formatMessage({ id }, { total })}</span>;
}

type SwitchProps = {
  readonly isOn: boolean;
  readonly isOpen: boolean;
  readonly onChange: (isOn: boolean) => void;
};

export function LiveSwitch({ isOn, isOpen, onChange }: SwitchProps) {
  const { formatMessage } = useIntl();
  return (
    <Switch className={styles.liveSwitch} isSelected={isOn} onChange={onChange}>
      <span className={styles.track} aria-hidden />
      {formatMessage({ id: 'events.live' })}
      <span className="small soft">
        {isOn && !isOpen && formatMessage({ id: 'events.connecting' })}
      </span>
    </Switch>
  );
}

type NewProps = {
  readonly count: number;
  readonly isFull: boolean;
  readonly onShow: () => void;
};

export function NewEvents({ count, isFull, onShow }: NewProps) {
  const { formatMessage } = useIntl();
  return (
    <div className={styles.newEvents} role="status">
      {count > 0 && (
        <Button
          variant="primary"
          isSmall
          onPress={() => {
            onShow();
            window.scrollTo({ top: 0 });
          }}
        >
          {formatMessage({ id: isFull ? 'events.newAtLeast' : 'events.new' }, { count })}
        </Button>
      )}
    </div>
  );
}
