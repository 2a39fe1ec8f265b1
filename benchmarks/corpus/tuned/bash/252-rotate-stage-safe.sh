#!/bin/bash
# Cleans the staging area before a deployment.
STAGE=/mnt/stage/current

cd "$STAGE" || { echo "no staging area" >&2; exit 1; }
rm -rf ./*
tar xzf /var/releases/latest.tgz
chown -R app:app .
