{{- /* Objects have the name of the release, with that of the chart where it lacks it. */}}
{{- define "inlet.name" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains "inlet" .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-inlet" (.Release.Name | trunc 34 | trimSuffix "-") -}}
{{- end -}}
{{- end }}

{{- define "inlet.secretName" -}}
{{- if .Values.secret -}}
{{- include "inlet.name" . -}}
{{- else -}}
{{- .Values.existingSecret | default (include "inlet.name" .) -}}
{{- end -}}
{{- end }}

{{- define "inlet.selector" -}}
app.kubernetes.io/name: inlet
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "inlet.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "inlet.selector" . }}
{{- end }}
