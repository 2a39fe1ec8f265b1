import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

const derive: (password: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt);

export interface MemberStore {
  passwordOf(email: string): Promise<string | null>;
  setPassword(email: string, stored: string): Promise<void>;
}

async function hashPassword(password: string, salt: Buffer): Promise<Buffer> {
  return derive(password, salt, 32, COST);
}

export class MemberPasswords {
  static readonly MINIMUM = 12;

  constructor(private readonly store: MemberStore) {}

  async change(email: string, password: string): Promise<void> {
    if (password.length < MemberPasswords.MINIMUM) {
      throw new RangeError(`at least ${MemberPasswords.MINIMUM} characters are needed`);
    }
    const salt = randomBytes(16);
    const hash = await hashPassword(password, salt);
    await this.store.setPassword(email, `${salt.toString('hex')}:${hash.toString('hex')}`);
  }

  async check(email: string, password: string): Promise<boolean> {
    const stored = await this.store.passwordOf(email);
    const [saltText, hashText] = (stored ?? `${'0'.repeat(32)}:${'0'.repeat(64)}`).split(':');
    const expected = Buffer.from(hashText, 'hex');
    const actual = await hashPassword(password, Buffer.from(saltText, 'hex'));
    return stored !== null && actual.length === expected.length && timingSafeEqual(actual, expected);
  }
}
