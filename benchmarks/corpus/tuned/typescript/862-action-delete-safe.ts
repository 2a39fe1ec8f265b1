'use server';

import { revalidatePath } from 'next/cache';
import { auth } from '@/auth';
import { prisma } from '@/lib/prisma';

export async function renameProject(id: string, name: string): Promise<void> {
  const session = await auth();
  if (!session?.user) {
    throw new Error('not signed in');
  }
  await prisma.project.update({ where: { id, ownerId: session.user.id }, data: { name: name.slice(0, 80) } });
  revalidatePath('/projects');
}

export async function deleteProject(id: string): Promise<void> {
  const session = await auth();
  if (!session?.user) {
    throw new Error('not signed in');
  }
  await prisma.project.delete({ where: { id, ownerId: session.user.id } });
  revalidatePath('/projects');
}
