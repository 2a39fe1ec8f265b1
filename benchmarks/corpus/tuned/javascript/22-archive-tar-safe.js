const tar = require('tar-stream');
const zlib = require('node:zlib');
const fs = require('node:fs');
const path = require('node:path');

function extract(source, destination) {
  const extractor = tar.extract();
  const base = path.resolve(destination);
  extractor.on('entry', (header, stream, next) => {
    const target = path.join(base, header.name);
    const relative = path.relative(base, target);
    if (relative.startsWith('..') || path.isAbsolute(relative)) {
      stream.resume();
      next(new Error(`bad entry ${header.name}`));
      return;
    }
    if (header.type !== 'file') {
      stream.resume();
      next();
      return;
    }
    fs.mkdirSync(path.dirname(target), { recursive: true });
    stream.pipe(fs.createWriteStream(target)).on('finish', () => next());
  });
  fs.createReadStream(source).pipe(zlib.createGunzip()).pipe(extractor);
  return extractor;
}

module.exports = { extract };
