// A worker of Cloudflare Email Routing that posts each mail to the URL of a webhook with the producer `cloudflare-email`.
// INLET_URL is that URL, INLET_SECRET the webhook's secret; both are secrets of the worker. docs/channel-kinds.md#answers-by-mail.
import PostalMime from 'postal-mime';

// Cloudflare takes a worker by default.
// oxlint-disable-next-line import/no-default-export
export default {
  async email(message, env) {
    const mail = await PostalMime.parse(message.raw);
    const attachments = mail.attachments.map(({ filename, mimeType, content }) => ({
      filename,
      mimeType,
      size: content.byteLength,
    }));
    const response = await fetch(env.INLET_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-mail-secret': env.INLET_SECRET },
      body: JSON.stringify({ ...mail, attachments, returnPath: message.from }),
    });
    // Cloudflare then asks the sender to try again.
    if (!response.ok) throw new Error(`Inlet answered ${response.status}.`);
  },
};
