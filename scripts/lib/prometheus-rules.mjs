// Writes the rules of Prometheus: where their runbooks are, and the rules as an object of the Prometheus operator.

/** The page whose sections the alerts name. Change it to where your people read docs/operations.md. */
export const runbookPage = 'https://inlet.example.com/docs/operations.md';

/** Returns the rules, or their tests, with this page in each `runbook_url`. @param {string} rules */
export const withRunbooks = (rules) =>
  rules.replaceAll(/(?<=runbook_url: )[^\s#]*(?=#)/g, runbookPage);

const head = `# Generated from deploy/prometheus/inlet-rules.yaml: npm run docs.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: inlet
  labels: { app.kubernetes.io/name: inlet }
spec:
`;

/** @param {string} rules the text of a file of rules */
export function kubernetesRules(rules) {
  const lines = rules.slice(rules.indexOf('groups:')).split('\n');
  return head + lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n');
}
