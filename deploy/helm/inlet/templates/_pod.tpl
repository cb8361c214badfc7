{{- /* What all containers have. */}}
{{- define "inlet.image" -}}
{{- .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "inlet.sources" -}}
envFrom:
  - configMapRef: { name: {{ include "inlet.name" . }} }
  - secretRef: { name: {{ include "inlet.secretName" . }} }
{{- end }}

{{- define "inlet.checksums" -}}
checksum/config: {{ toYaml .Values.config | sha256sum }}
{{- if .Values.secret }}
checksum/secret: {{ toYaml .Values.secret | sha256sum }}
{{- end }}
{{- end }}

{{- define "inlet.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
volumes:
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
{{- end }}

{{- define "inlet.container" -}}
name: inlet
image: {{ include "inlet.image" . | quote }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
{{ include "inlet.sources" . }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "inlet.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* The deployment of a role: a dictionary of `root`, `role` and `hasReplicas`. */}}
{{- define "inlet.deployment" -}}
{{- $values := index .root.Values .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "inlet.name" .root }}-{{ .role }}
  labels:
    {{- include "inlet.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if .hasReplicas }}
  replicas: {{ $values.replicas }}
  {{- end }}
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "inlet.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels:
        {{- include "inlet.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      annotations:
        # A change of a setting replaces the pods.
        {{- include "inlet.checksums" .root | nindent 8 }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "inlet.pod" .root | nindent 6 }}
      {{- include "inlet.placement" $values | nindent 6 }}
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      topologySpreadConstraints:
        {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ $key }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "inlet.selector" $.root | nindent 14 }}
              app.kubernetes.io/component: {{ $.role }}
        {{- end }}
      containers:
        - args: [{{ .role }}]
          {{- include "inlet.container" .root | nindent 10 }}
          ports:
            {{- if eq .role "server" }}
            - { name: public, containerPort: 8080 }
            {{- end }}
            - { name: operations, containerPort: 9090 }
          env:
            # Indexes and migrations are the migrate job's. Until it has run, a pod ends with 78 and is started again.
            - { name: INLET_MIGRATE, value: never }
            {{- if eq .role "server" }}
            # Longer than load balancers need to notice that the pod is not ready.
            - { name: INLET_DRAIN_DELAY_MS, value: {{ $values.drainDelayMs | quote }} }
            {{- end }}
          startupProbe:
            httpGet: { path: /healthz, port: operations }
            periodSeconds: 2
            failureThreshold: 30
            timeoutSeconds: 2
          livenessProbe:
            httpGet: { path: /healthz, port: operations }
            periodSeconds: 10
            failureThreshold: 6
            timeoutSeconds: 2
          # Without the databases: a pod that answers 503 with Retry-After is better than no pod.
          readinessProbe:
            httpGet: { path: '/readyz?scope=self', port: operations }
            periodSeconds: 2
            failureThreshold: 2
            timeoutSeconds: 2
          resources:
            {{- toYaml $values.resources | nindent 12 }}
{{- end }}
