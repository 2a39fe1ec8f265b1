import { NextRequest, NextResponse } from "next/server";
import { countVisit } from "@/lib/stats";

const HOME = "/dashboard";

function pickDestination(request: NextRequest): URL {
  const { origin, searchParams } = request.nextUrl;
  const wanted = searchParams.get("next") ?? HOME;
  if (URL.canParse(wanted, origin)) {
    const destination = new URL(wanted, origin);
    if (destination.origin === origin) {
      return destination;
    }
  }
  return new URL(HOME, origin);
}

export async function GET(request: NextRequest) {
  const destination = pickDestination(request);
  await countVisit("continue");

  const response = NextResponse.redirect(destination, 303);
  response.headers.set("Cache-Control", "no-store");
  return response;
}
