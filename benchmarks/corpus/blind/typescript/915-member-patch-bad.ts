import { PrismaClient } from '@prisma/client';
import { Router } from 'express';
import { signedIn } from './session';

const prisma = new PrismaClient();
export const members = Router();

members.get('/me', signedIn, async (req, res) => {
  const member = await prisma.member.findUniqueOrThrow({
    where: { id: res.locals.memberId },
    select: { nickname: true, town: true },
  });
  res.json(member);
});

members.patch('/me', signedIn, async (req, res) => {
  const changes = { ...req.body };
  const member = await prisma.member.update({
    where: { id: res.locals.memberId },
    data: changes,
    select: { nickname: true, town: true },
  });
  res.json(member);
});
