import { UserService } from './user.service';
import { UserRepository } from './user.repository';

export function createUserService(): UserService {
  return new UserService(new UserRepository());
}
