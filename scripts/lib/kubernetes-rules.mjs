// Writes the rules of Prometheus as an object of the Prometheus operator.

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
