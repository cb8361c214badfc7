import { noticeTargetKinds } from '../../../src/channels/notices/target-kinds.ts';

const settings = {
  webhook: ['authorization', 'headers', 'signingSecret', 'timeoutSeconds', 'url'],
  slack: ['url'],
  email: ['from', 'fromName', 'host', 'password', 'port', 'replyTo', 'security', 'to', 'username'],
};

test.each(Object.entries(settings))(
  'a target of kind %s has the settings that have an effect on it',
  (kind, names) => {
    const { settingsSchema } = noticeTargetKinds[kind as keyof typeof noticeTargetKinds];
    expect(Object.keys(settingsSchema.properties).toSorted()).toEqual(names);
  },
);
