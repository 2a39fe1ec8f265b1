import { NextRequest, NextResponse } from 'next/server';

interface Preview {
  address: string;
  title: string;
}

const MAX_LENGTH = 200_000;

function titleOf(text: string): string {
  const start = text.indexOf('<title>');
  const end = text.indexOf('</title>', start);
  return start >= 0 && end > start ? text.slice(start + 7, end).trim() : 'Untitled feed';
}

function feedAddress(value: string | null): URL | null {
  if (!value || !URL.canParse(value)) return null;
  return new URL(value);
}

async function loadPreview(url: URL): Promise<Preview> {
  const response = await fetch(url, { signal: AbortSignal.timeout(4000) });
  if (!response.ok) {
    throw new Error(`feed answered with ${response.status}`);
  }
  const text = (await response.text()).slice(0, MAX_LENGTH);
  return { address: url.href, title: titleOf(text) };
}

export async function GET(request: NextRequest): Promise<NextResponse> {
  const url = feedAddress(request.nextUrl.searchParams.get('url'));
  if (!url) {
    return NextResponse.json({ error: 'not a feed address' }, { status: 400 });
  }
  try {
    return NextResponse.json(await loadPreview(url));
  } catch {
    return NextResponse.json({ error: 'the feed could not be read' }, { status: 502 });
  }
}
