#!/bin/sh
# Makes what compose.yaml needs: .env, the key file of MongoDB, the configuration of Redis, and a self-signed certificate.
# What is there stays. Usage: deploy/compose/secrets.sh https://inlet.example.com
set -eu
umask 077
url=${1:?the URL that senders use, such as https://inlet.example.com}
cd "$(dirname "$0")"
mkdir -p secrets/tls
random() { openssl rand -hex 24; }

if [ ! -e ../.env ]; then
  redis=$(random)
  sed -e "s|^INLET_PUBLIC_URL=.*|INLET_PUBLIC_URL=$url|" \
    -e "s|^INLET_ADMIN_TOKEN=.*|INLET_ADMIN_TOKEN=$(random)|" \
    -e "s|^INLET_SECRET_KEYS=.*|INLET_SECRET_KEYS=$(openssl rand -base64 32)|" \
    -e "s|^MONGODB_ROOT_PASSWORD=.*|MONGODB_ROOT_PASSWORD=$(random)|" \
    -e "s|^MONGODB_INLET_PASSWORD=.*|MONGODB_INLET_PASSWORD=$(random)|" \
    -e "s|^REDIS_PASSWORD=.*|REDIS_PASSWORD=$redis|" \
    -e "s|^GRAFANA_ADMIN_PASSWORD=.*|GRAFANA_ADMIN_PASSWORD=$(random)|" \
    env.example > ../.env
fi

if [ ! -e secrets/mongodb-keyfile ]; then
  openssl rand -base64 512 | tr -d '\n' > secrets/mongodb-keyfile
fi

if [ ! -e secrets/redis.conf ]; then
  password=$(sed -n 's/^REDIS_PASSWORD=//p' ../.env)
  sed "s|^requirepass .*|requirepass $password|" redis.conf > secrets/redis.conf
fi

if [ ! -e secrets/tls/tls.key ]; then
  name=$(printf %s "$url" | sed -e 's|^https*://||' -e 's|[:/].*||')
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj "/CN=$name" \
    -addext "subjectAltName=DNS:$name" -keyout secrets/tls/tls.key -out secrets/tls/tls.crt 2> /dev/null
fi

# Containers read them as users of their own. The folder keeps other users of this machine out.
chmod 0444 secrets/mongodb-keyfile secrets/redis.conf secrets/tls/tls.key secrets/tls/tls.crt
chmod 0755 secrets/tls
chmod 0700 secrets
