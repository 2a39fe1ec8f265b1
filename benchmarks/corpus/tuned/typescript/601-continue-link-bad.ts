import { NextRequest, NextResponse } from "next/server";
import { countVisit } from "@/lib/stats";

const HOME = "/dashboard";

function pickDestination(request: NextRequest): URL {
  const wanted = request.nextUrl.searchParams.get("next") ?? HOME;
  return new URL(wanted, request.nextUrl.origin);
}

export async function GET(request: NextRequest) {
  const destination = pickDestination(request);
  await countVisit("continue");

  const response = NextResponse.redirect(destination, 303);
  response.headers.set("Cache-Control", "no-store");
  return response;
}
