{{- define "dispensary.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "dispensary.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dispensary.labels" -}}
{{ include "dispensary.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* A Deployment of one kind of process. Takes root, kind (api, worker), roles, and the port that tells health. */}}
{{- define "dispensary.deployment" -}}
{{- $ := .root }}
{{- $processes := index $.Values .kind }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "dispensary.name" $ }}-{{ .kind }}
  labels: {{- include "dispensary.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ .kind }}
spec:
  replicas: {{ $processes.replicas }}
  # The next pod serves before the former one stops, so no request fails (docs/OPERATIONS.md).
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "dispensary.selector" $ | nindent 6 }}
      app.kubernetes.io/component: {{ .kind }}
  template:
    metadata:
      labels: {{- include "dispensary.labels" $ | nindent 8 }}
        app.kubernetes.io/component: {{ .kind }}
    spec:
      serviceAccountName: {{ include "dispensary.name" $ }}
      automountServiceAccountToken: false
      {{- with $.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      # More than DRAIN_SECONDS and SHUTDOWN_TIMEOUT_SECONDS together.
      terminationGracePeriodSeconds: {{ add $.Values.drainSeconds 40 }}
      securityContext:
        runAsNonRoot: true
        runAsUser: {{ $.Values.runAsUser }}
        runAsGroup: 0
        fsGroup: 0
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "dispensary.selector" $ | nindent 14 }}
              app.kubernetes.io/component: {{ .kind }}
      containers:
        - name: {{ .kind }}
          image: {{ printf "%s:%s" $.Values.image.repository ($.Values.image.tag | default $.Chart.AppVersion) | quote }}
          imagePullPolicy: {{ $.Values.image.pullPolicy }}
          env:
            - { name: ROLES, value: {{ .roles | quote }} }
            - { name: METRICS_PORT, value: "9100" }
            - { name: DRAIN_SECONDS, value: {{ $.Values.drainSeconds | quote }} }
            - { name: PUBLIC_URL, value: {{ required "publicUrl: the base address as callers reach it, https://…" $.Values.publicUrl | quote }} }
            - { name: PUBLIC_MENU_URL, value: {{ required "publicMenuUrl: the menu address as callers reach it, https://…" $.Values.publicMenuUrl | quote }} }
            - { name: BLOB_STORE, value: {{ required "blobStore: s3://bucket/prefix, because pods share no disk" $.Values.blobStore | quote }} }
            {{- range $name, $value := $.Values.settings }}
            - { name: {{ $name }}, value: {{ $value | toString | quote }} }
            {{- end }}
          envFrom:
            - secretRef: { name: {{ required "existingSecret: a Secret with DATABASE_URL, DATABASE_APP_URL and DOCUMENT_MASTER_KEY" $.Values.existingSecret | quote }} }
          ports:
            {{- if eq .kind "api" }}
            - { name: base, containerPort: 8080 }
            - { name: menu, containerPort: 8081 }
            {{- end }}
            - { name: metrics, containerPort: 9100 }
          # A start migrates the database; no migration waits longer than ten minutes.
          startupProbe:
            httpGet: { path: /readyz, port: {{ .port }} }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 330
          readinessProbe:
            httpGet: { path: /readyz, port: {{ .port }} }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 2
          livenessProbe:
            httpGet: { path: /healthz, port: {{ .port }} }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          resources: {{- toYaml $processes.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
            {{- with $.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      # What a process keeps here may go with the pod: rows are in the database, files in the bucket.
      volumes:
        - { name: data, emptyDir: {} }
        - { name: tmp, emptyDir: {} }
        {{- with $.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $.Values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $.Values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
