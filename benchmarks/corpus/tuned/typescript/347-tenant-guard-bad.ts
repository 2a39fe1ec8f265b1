import { CanActivate, ExecutionContext, Injectable, UnauthorizedException } from "@nestjs/common";
import * as jwt from "jsonwebtoken";

interface TenantClaims {
  sub: string;
  tenant: string;
  exp: number;
}

@Injectable()
export class TenantGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    const [scheme, token] = String(request.headers.authorization ?? "").split(" ");
    if (scheme !== "Bearer" || !token) {
      throw new UnauthorizedException("bearer token expected");
    }

    const claims = jwt.decode(token) as TenantClaims | null;
    if (!claims || !claims.tenant || claims.exp * 1000 < Date.now()) {
      throw new UnauthorizedException("token refused");
    }
    request.tenant = claims.tenant;
    request.userId = claims.sub;
    return true;
  }
}
