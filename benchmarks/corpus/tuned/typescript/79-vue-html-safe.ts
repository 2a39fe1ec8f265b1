import { defineComponent, h, ref, onMounted } from 'vue';

interface Notice {
  title: string;
  body: string;
}

export default defineComponent({
  name: 'NoticeBoard',
  setup() {
    const notices = ref<Notice[]>([]);
    onMounted(async () => {
      const response = await fetch('/api/notices');
      notices.value = (await response.json()) as Notice[];
    });
    return () =>
      h(
        'ul',
        notices.value.map((notice) =>
          h('li', [h('strong', notice.title), ` ${notice.body}`]),
        ),
      );
  },
});
