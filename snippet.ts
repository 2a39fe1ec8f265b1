import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Grant } from './grant.entity';

export interface GrantFilter {
  title: string;
  maxAmount?: number;
}

@Injectable()
export class GrantService {
  constructor(@InjectRepository(Grant) private readonly grants: Repository<Grant>) {}

  async search(filter: GrantFilter): Promise<Grant[]> {
    const query = this.grants
      .createQueryBuilder('grant')
      .where('grant.title ILIKE :title', { title: `%${filter.title}%` })
      .orderBy('grant.deadline', 'ASC')
      .take(50);
    if (filter.maxAmount !== undefined) {
      query.andWhere('grant.amount <= :max', { max: filter.maxAmount });
    }
    return query.getMany();
  }
}
