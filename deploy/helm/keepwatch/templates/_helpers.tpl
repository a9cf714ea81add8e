{{- define "keepwatch.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "keepwatch.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "keepwatch.labels" -}}
{{ include "keepwatch.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "keepwatch.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "keepwatch.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "keepwatch.fullname" .) }}
{{- end -}}

{{/*
The environment of one role: only the settings that the role reads.
Takes root, role, the settings and secrets of the role, and the settings of the chart itself.
*/}}
{{- define "keepwatch.environment" -}}
{{- $table := .root.Files.Get "files/settings.json" | fromJson -}}
{{- range $name := list "KEEPWATCH_PUBLIC_URL" "TEMPORAL_ADDRESS" -}}
{{- if not (get $.root.Values.settings $name) }}{{ fail (printf "settings.%s is required; docs/settings.md says what it is" $name) }}{{ end -}}
{{- end -}}
{{- $settings := mergeOverwrite (dict) .chartSettings (deepCopy .root.Values.settings) (.settings | default dict) -}}
{{- $secrets := mergeOverwrite (dict) (deepCopy .root.Values.secrets) (.secrets | default dict) -}}
{{- range $name, $value := $settings }}
{{- if and $value (has $.role (index $table $name "roles")) (not (hasKey $secrets $name)) }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- range $name, $reference := $secrets }}
{{- if has $.role (index $table $name "roles") }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ $reference.name | quote }}, key: {{ $reference.key | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{- define "keepwatch.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "keepwatch.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "keepwatch.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.certificates.secretName }}
- { name: certificates, mountPath: /etc/keepwatch/certificates, readOnly: true }
{{- end }}
{{- end -}}

{{- define "keepwatch.volumes" -}}
- name: tmp
  emptyDir: {}
{{- if .Values.certificates.secretName }}
- name: certificates
  secret:
    secretName: {{ .Values.certificates.secretName | quote }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{/*
A Deployment of one role. Takes root, role, name (of the component), replicas, settings, secrets, resources,
nodeSelector and chartSettings. For a probe without its own key, also takes the region: an init container
derives the region's key, so that the probe itself never gets the secret key.
*/}}
{{- define "keepwatch.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "keepwatch.fullname" .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "keepwatch.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  replicas: {{ .replicas }}
  selector:
    matchLabels:
      {{- include "keepwatch.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .name }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels:
        {{- include "keepwatch.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .name }}
        keepwatch/role: {{ .role }}
      {{- with .root.Values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "keepwatch.serviceAccount" .root }}
      automountServiceAccountToken: false
      # Process 1 cannot kill itself, as Keepwatch does if its event loop is blocked.
      shareProcessNamespace: true
      terminationGracePeriodSeconds: 30
      securityContext: {{- include "keepwatch.podSecurity" . | nindent 8 }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "keepwatch.selector" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .name }}
      {{- with .derivedKeyRegion }}
      initContainers:
        - name: probe-key
          image: {{ include "keepwatch.image" $.root | quote }}
          imagePullPolicy: {{ $.root.Values.image.pullPolicy }}
          command: [node, dist/main/probe-key.js, {{ . | quote }}, /probe-key/key]
          env:
            - name: KEEPWATCH_SECRET_KEY
              valueFrom:
                secretKeyRef: { name: {{ $.root.Values.secrets.KEEPWATCH_SECRET_KEY.name | quote }}, key: {{ $.root.Values.secrets.KEEPWATCH_SECRET_KEY.key | quote }} }
          securityContext: {{- include "keepwatch.containerSecurity" $ | nindent 12 }}
          resources: { limits: { memory: 256Mi } }
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            - { name: probe-key, mountPath: /probe-key }
      {{- end }}
      containers:
        - name: {{ .role }}
          image: {{ include "keepwatch.image" .root | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: [node, dist/main/container.js]
          env: {{- include "keepwatch.environment" . | nindent 12 }}
            - name: KEEPWATCH_ROLE
              value: {{ .role }}
            {{- if .derivedKeyRegion }}
            - name: KEEPWATCH_PROBE_KEY_FILE
              value: /probe-key/key
            {{- end }}
          securityContext: {{- include "keepwatch.containerSecurity" . | nindent 12 }}
          resources: {{- toYaml .resources | nindent 12 }}
          volumeMounts: {{- include "keepwatch.mounts" .root | nindent 12 }}
            {{- if .derivedKeyRegion }}
            - { name: probe-key, mountPath: /probe-key, readOnly: true }
            {{- end }}
          {{- if eq .role "api" }}
          ports:
            - { name: http, containerPort: 3000 }
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 2
            failureThreshold: 45
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
          {{- else }}
          # No liveness probe: an unavailable dependency must not cause a kill, and a process whose event loop
          # is blocked exits by itself.
          readinessProbe:
            exec: { command: [node, dist/main/health.js, {{ .role }}] }
            initialDelaySeconds: 3
            periodSeconds: 30
            timeoutSeconds: 10
          {{- end }}
      volumes: {{- include "keepwatch.volumes" .root | nindent 8 }}
        {{- if .derivedKeyRegion }}
        - name: probe-key
          emptyDir: { medium: Memory }
        {{- end }}
{{- end -}}
