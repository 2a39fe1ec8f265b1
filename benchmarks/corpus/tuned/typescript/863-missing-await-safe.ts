import { Injectable, ForbiddenException } from '@nestjs/common';

interface Membership {
  role: 'owner' | 'member';
}

@Injectable()
export class ProjectService {
  private readonly projects = new Map<string, string>();

  private async isOwner(userId: string, projectId: string): Promise<boolean> {
    const response = await fetch(`https://iam.example.org/projects/${projectId}/members/${userId}`);
    const membership = (await response.json()) as Membership;
    return membership.role === 'owner';
  }

  async remove(userId: string, projectId: string): Promise<void> {
    if (!(await this.isOwner(userId, projectId))) {
      throw new ForbiddenException();
    }
    this.projects.delete(projectId);
  }
}
