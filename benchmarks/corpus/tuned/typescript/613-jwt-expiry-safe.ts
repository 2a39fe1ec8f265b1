import jwt from 'jsonwebtoken';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface Claims {
  sub: string;
  role: string;
}

export class TokenService {
  constructor(private readonly secret: string) {}

  verify(token: string): Claims {
    return jwt.verify(token, this.secret, { algorithms: ['HS256'], maxAge: '1h' }) as Claims;
  }

  guard() {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const header = request.headers.authorization ?? '';
      try {
        (request as FastifyRequest & { claims: Claims }).claims = this.verify(header.replace('Bearer ', ''));
      } catch {
        await reply.code(401).send({ error: 'unauthorized' });
      }
    };
  }
}
