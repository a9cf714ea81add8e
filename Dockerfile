# syntax=docker/dockerfile:1
# One image for every role: docker-compose.yml and docker-compose.prod.yml choose the role by the
# command. Debian, not Alpine: the engine's native client is built against glibc.
ARG NODE_IMAGE=node:24-bookworm-slim

# Packages that run. Only the engine's client for this platform is kept (the package holds five).
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts \
 && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
      ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -rf {} +

# dist/ with the workflow bundle, made by the same command as outside a container.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY scripts ./scripts
COPY src ./src
RUN npm run build

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Keepwatch" \
      org.opencontainers.image.description="Uptime monitoring that cannot lose a check" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/keepwatch/keepwatch" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
# The program of ping checks. The copy has no file capabilities, which a container without capabilities could not
# start; Docker and Podman let every user send pings (net.ipv4.ping_group_range).
RUN apt-get update \
 && apt-get install -y --no-install-recommends iputils-ping \
 && install -m 755 "$(command -v ping)" /usr/local/bin/ping \
 && rm -rf /var/lib/apt/lists/*
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY docs ./docs
COPY package.json LICENSE llms.txt ./
# A new volume here takes its owner and mode from it.
RUN install --directory --owner=node --group=node --mode=700 /probe-key
USER node
EXPOSE 3000
# Started directly and not through npm, so that SIGTERM reaches the process that drains on it.
CMD ["node", "dist/main/api.js"]
