import axios from 'axios';

export class Fetcher {
  async load(address: string): Promise<string> {
    const answer = await axios.get(address);
    return String(answer.status);
  }
}
