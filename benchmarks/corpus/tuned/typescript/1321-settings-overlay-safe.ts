export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Dict = Record<string, any>;

const RESERVED = new Set(["__proto__", "constructor", "prototype"]);

function isDict(value: unknown): value is Dict {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function overlay(target: Dict, layer: Dict, depth = 0): Dict {
  if (depth > 20) {
    throw new RangeError("settings are nested too deeply");
  }
  for (const key of Object.keys(layer)) {
    if (RESERVED.has(key)) {
      continue;
    }
    const value = layer[key];
    if (isDict(value) && Object.hasOwn(target, key) && isDict(target[key])) {
      overlay(target[key], value, depth + 1);
    } else {
      target[key] = value;
    }
  }
  return target;
}

export class SettingsStore {
  private current: Dict = { editor: { tabSize: 2, wrap: true }, theme: "dusk" };

  /** Called for every message that a connected editor sends. */
  receive(message: string): void {
    const layer: Json = JSON.parse(message);
    if (isDict(layer)) {
      this.current = overlay(this.current, layer);
    }
  }

  snapshot(): Dict {
    return structuredClone(this.current);
  }
}
