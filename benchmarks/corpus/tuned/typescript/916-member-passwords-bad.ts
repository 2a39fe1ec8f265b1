import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface MemberStore {
  passwordOf(email: string): Promise<string | null>;
  setPassword(email: string, stored: string): Promise<void>;
}

async function hashPassword(password: string, salt: Buffer): Promise<Buffer> {
  return createHash('sha256').update(salt).update(password, 'utf8').digest();
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
