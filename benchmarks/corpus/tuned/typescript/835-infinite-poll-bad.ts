export interface Status {
  state: 'pending' | 'done' | 'failed';
}

export class Poller {
  constructor(
    private readonly read: (id: string) => Promise<Status>,
    private readonly limit: number = 20,
  ) {}

  async wait(id: string): Promise<Status> {
    let attempt = 0;
    let status = await this.read(id);
    while (attempt < this.limit) {
      if (status.state !== 'pending') {
        return status;
      }
      status = await this.read(id);
    }
    throw new Error(`no answer after ${attempt} attempts`);
  }
}
