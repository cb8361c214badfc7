# One image, one entry: `server` (the default), `worker`, `migrate` or `rotate-secrets`. docs/deployment.md says how to run it.
# The `inlet` command is on the PATH: `docker exec <server> inlet doctor`.
# For a build that can be repeated, name the base by digest: --build-arg BASE=node:24-slim@sha256:…
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The version in the labels is the one that metrics show.
ARG VERSION=
RUN test -z "${VERSION}" || node -e "process.exit(require('./package.json').version === process.argv[1] ? 0 : 1)" "${VERSION}"
RUN npm ci --include=dev --ignore-scripts
COPY . .
ARG REVISION=
RUN npm run build -- "${REVISION}"

FROM ${BASE}
WORKDIR /app
# The operations port must be reachable for probes and Prometheus. Do not publish it.
ENV NODE_ENV=production INLET_HOST=0.0.0.0 INLET_OPS_HOST=0.0.0.0
# With glibc's default of eight arenas for each core, a process takes 30 to 50 MB more.
ENV MALLOC_ARENA_MAX=2
# The `inlet` command saves contexts there: the root may be read-only, and the user may have no home.
ENV XDG_CONFIG_HOME=/tmp
COPY --from=build /app/package.json /app/LICENSE /app/dist/THIRD_PARTY_NOTICES.txt /app/dist/sbom.cdx.json ./
# The bundles hold every package that they need.
COPY --from=build /app/dist/bin ./dist/bin
COPY --from=build /app/dist/cli ./dist/cli
COPY --from=build /app/dist/assets ./dist/assets
COPY --from=build /app/dist/web ./dist/web
COPY --from=build /app/dist/docs ./dist/docs
# Written only for the first admin token when INLET_ADMIN_TOKEN is not set.
RUN install -d -m 0700 -o 1000 -g 1000 .inlet && ln -s /app/dist/cli/inlet.js /usr/local/bin/inlet
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="Inlet" \
      org.opencontainers.image.description="Inbound webhooks of any shape, each turned exactly once into a contact, a chat and a message." \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="MIT"
USER 1000:1000
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.INLET_OPS_PORT || 9090}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "dist/bin/inlet.js"]
CMD ["server"]
