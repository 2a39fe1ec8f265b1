#!/bin/bash
# Cleans the staging area before a deployment.
STAGE=/mnt/stage/current

cd "$STAGE"
rm -rf ./*
tar xzf /var/releases/latest.tgz
chown -R app:app .
