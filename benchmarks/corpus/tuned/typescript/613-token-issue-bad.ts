import jwt from 'jsonwebtoken';
interface Claims { sub: string }
export function issue(userId: string, key: string): string {
  return jwt.sign({ sub: userId } satisfies Claims, key, { algorithm: 'HS256' });
}
export function check(token: string, key: string): Claims {
  return jwt.verify(token, key, { algorithms: ['HS256'] }) as Claims;
}
