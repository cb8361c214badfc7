/** The values of the labels of metrics that the domain defines. */
import { secretOwners } from './access/secret-locations.ts';
import { reasons } from './events/actions.ts';
import { runKinds } from './events/run.ts';
import { channelKindNames } from './messages/channel.ts';
import { noticeKinds } from './notices/notice.ts';

export const metricLabels = {
  reasons,
  runKinds,
  channelKinds: channelKindNames,
  noticeKinds,
  secretOwners,
};
