import { UserRepository } from './user.repository';

export class UserService {
  constructor(private readonly repository: UserRepository) {}

  async list(order: string) {
    return this.repository.findAll(order);
  }
}
