/** The page of the documentation site about each screen, by the path of the screen. */
import { matchPath } from 'react-router';

export const helpPages = {
  '/': 'console#overview',
  '/webhooks': 'console#webhooks',
  '/webhooks/new': 'first-steps#create-a-webhook',
  '/webhooks/:id': 'console#webhooks',
  '/webhooks/:id/setup': 'first-steps#map-the-first-event',
  '/webhooks/:id/mapping': 'mapping',
  '/webhooks/:id/versions': 'changing-a-mapping#the-steps',
  '/webhooks/:id/samples': 'changing-a-mapping#the-steps',
  '/webhooks/:id/rejections': 'errors#error-codes',
  '/webhooks/:id/drift': 'changing-a-mapping#payload-changes-drift',
  '/webhooks/:id/keys': 'security#what-to-do-after-a-leak',
  '/webhooks/:id/settings': 'senders',
  '/events': 'console#events',
  '/events/:id': 'errors#reasons',
  '/dead-letters': 'console#failed-events',
  '/inbox': 'answering',
  '/contacts': 'contacts#find-and-edit',
  '/contacts/conflicts': 'contacts#merge',
  '/contacts/erasures': 'contacts#erase',
  '/contacts/:id': 'contacts',
  '/channels': 'channels',
  '/channels/:id': 'channel-kinds',
  '/notices': 'notices',
  '/team/agents': 'console#team',
  '/team/sectors': 'console#team',
  '/team/labels': 'console#team',
  '/tokens': 'security#tokens',
  '/audit': 'security#audit-log',
} as const;

/** Sign-in has no path of its own. */
export const helpOfSignIn = '/docs/first-steps#start-and-sign-in';

export type ScreenPath = keyof typeof helpPages;

const isScreen = (path: string): path is ScreenPath => path in helpPages;

/** The address of the page about a screen. The paths without parameters are looked at first, as the router does. */
export function helpAddress(pathname: string): string {
  const paths = Object.keys(helpPages).filter(isScreen);
  const path = isScreen(pathname)
    ? pathname
    : paths.find((one) => matchPath(one, pathname) !== null);
  return `/docs/${path === undefined ? '' : helpPages[path]}`;
}
