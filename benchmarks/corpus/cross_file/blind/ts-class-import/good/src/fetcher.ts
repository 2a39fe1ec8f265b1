import axios from 'axios';

export class Fetcher {
  async load(address: string): Promise<string> {
    const answer = await axios.get('https://api.example.com/items/' + encodeURIComponent(address));
    return String(answer.status);
  }
}
