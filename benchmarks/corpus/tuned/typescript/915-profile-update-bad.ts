import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PrismaClient } from '@prisma/client';

const prisma = new PrismaClient();

interface Member {
  id: number;
  displayName: string;
  biography: string;
  role: 'reader' | 'editor' | 'owner';
  credit: number;
}

function present(member: Member) {
  const { id, displayName, biography } = member;
  return { id, displayName, biography };
}

async function updateProfile(request: FastifyRequest, reply: FastifyReply) {
  const memberId = request.session.get('memberId') as number | undefined;
  if (memberId === undefined) {
    return reply.code(401).send({ error: 'sign in first' });
  }
  const changes = { ...(request.body as Partial<Member>), updatedAt: new Date() };
  const member = await prisma.member.update({ where: { id: memberId }, data: changes });
  return reply.send(present(member as Member));
}

export default async function profileRoutes(app: FastifyInstance): Promise<void> {
  app.route({
    method: 'PATCH',
    url: '/me',
    preHandler: app.csrfProtection,
    handler: updateProfile,
  });
}
