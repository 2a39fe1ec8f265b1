import { CanActivate, ExecutionContext, Injectable, UnauthorizedException } from "@nestjs/common";
import * as jwt from "jsonwebtoken";

interface TenantClaims {
  sub: string;
  tenant: string;
  exp: number;
}

const KEYS = new Map<string, string>(Object.entries(JSON.parse(process.env.TOKEN_PUBLIC_KEYS ?? "{}")));

function readClaims(token: string): TenantClaims {
  const decoded = jwt.decode(token, { complete: true });
  const key = KEYS.get(decoded?.header.kid ?? "");
  if (!key) {
    throw new UnauthorizedException("token refused");
  }
  try {
    return jwt.verify(token, key, { algorithms: ["RS256"], issuer: "https://id.example.com" }) as TenantClaims;
  } catch {
    throw new UnauthorizedException("token refused");
  }
}

@Injectable()
export class TenantGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    const [scheme, token] = String(request.headers.authorization ?? "").split(" ");
    if (scheme !== "Bearer" || !token) {
      throw new UnauthorizedException("bearer token expected");
    }

    const claims = readClaims(token);
    request.tenant = claims.tenant;
    request.userId = claims.sub;
    return true;
  }
}
