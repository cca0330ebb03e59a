# One image for every role: the server, its daily tasks by hand, the mail check, copies and backups.
#
# The tag names one version of Node on one release of Debian. To pin the content, build with
#   --build-arg NODE_IMAGE=node@sha256:…
# and the digest that your registry shows for that tag.
ARG NODE_IMAGE=node:24.21.0-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json vite.config.ts CHANGELOG.md ./
COPY static ./static
COPY bin ./bin
COPY src ./src
RUN npm run prepare && npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has Node already. npm installs another one, which only checkouts need.
RUN npm ci --omit=dev --no-audit --no-fund \
	&& rm -r node_modules/node-linux-* node_modules/.bin/node

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
	HOST=0.0.0.0 \
	PORT=3000 \
	DATABASE_URL=file:/data/postern.db
WORKDIR /app
# The only folder that Postern writes to. A new volume gets its owner and mode from here.
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/build ./build
COPY package.json LICENSE ./
COPY drizzle ./drizzle
# The image's user "node", by number, so that an orchestrator can verify that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Checks whether the process responds. /readyz would also check the database, but a restart does not
# repair that.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --start-interval=1s --retries=3 \
	CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz', { redirect: 'error' }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--min-semi-space-size=4", "build/server/start.js"]
