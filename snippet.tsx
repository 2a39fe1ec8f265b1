import { Component, Input } from '@angular/core';
import { DomSanitizer, SafeHtml } from '@angular/platform-browser';

export interface Story {
  author: string;
  body: string;
}

@Component({
  selector: 'garden-story',
  template: `
    <h3>{{ author }}</h3>
    <div class="story" [innerHTML]="body"></div>
  `,
})
export class GardenStoryComponent {
  author = '';
  body: SafeHtml = '';

  constructor(private readonly sanitizer: DomSanitizer) {}

  @Input()
  set story(value: Story) {
    this.author = value.author;
    this.body = this.sanitizer.bypassSecurityTrustHtml(value.body);
  }
}
