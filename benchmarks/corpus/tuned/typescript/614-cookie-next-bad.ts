import { cookies } from 'next/headers';
import { NextResponse } from 'next/server';
import { createSession, checkPassword } from '@/lib/session';

export async function POST(request: Request): Promise<NextResponse> {
  const form = await request.formData();
  const user = await checkPassword(String(form.get('email')), String(form.get('password')));
  if (!user) {
    return NextResponse.json({ error: 'invalid' }, { status: 401 });
  }
  const session = await createSession(user.id);
  const jar = await cookies();
  jar.set('session', session.id, { httpOnly: true, sameSite: 'lax', path: '/' });
  return NextResponse.json({ ok: true });
}
