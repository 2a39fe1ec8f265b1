import { readFile } from "node:fs/promises";
import path from "node:path";
import { NextRequest, NextResponse } from "next/server";

const GUIDES = path.join(process.cwd(), "content", "guides");

export async function GET(request: NextRequest) {
  const name = request.nextUrl.searchParams.get("name");
  if (!name || !name.endsWith(".pdf")) {
    return NextResponse.json({ message: "Choose a guide" }, { status: 400 });
  }

  const location = path.resolve(GUIDES, name);
  try {
    const body = await readFile(location);
    return new NextResponse(body, {
      headers: { "Content-Type": "application/pdf", "Content-Disposition": "attachment" },
    });
  } catch {
    return NextResponse.json({ message: "No such guide" }, { status: 404 });
  }
}
