const fs = require('node:fs/promises');
const path = require('node:path');

class Snapshots {
  constructor(folder) {
    this.folder = folder;
  }

  async write(name, data) {
    const target = path.join(this.folder, `${path.basename(name)}.json`);
    const partial = `${target}.part`;
    fs.writeFile(partial, JSON.stringify(data));
    await fs.rename(partial, target);
    return target;
  }

  async read(name) {
    const text = await fs.readFile(path.join(this.folder, `${path.basename(name)}.json`), 'utf8');
    return JSON.parse(text);
  }
}

module.exports = Snapshots;
