# One image, two roles: the server by default, a worker by `node --enable-source-maps dist/bin/worker.js`.
# Both need MONGODB_URL (a replica set) and REDIS_URL (maxmemory-policy noeviction).

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --ignore-scripts
COPY . .
RUN npm run build

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production INLET_HOST=0.0.0.0
COPY --from=build /app/package.json ./
# The bundles hold every package that they need.
COPY --from=build /app/dist/bin ./dist/bin
COPY --from=build /app/dist/assets ./dist/assets
COPY --from=build /app/dist/web ./dist/web
# For the first admin token when INLET_ADMIN_TOKEN is not set.
RUN install -d -m 0700 -o node -g node .inlet
USER node
EXPOSE 8080
# The operations port stays on loopback unless INLET_OPS_HOST says otherwise.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.INLET_OPS_PORT || 9090}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/bin/server.js"]
