using System;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Worker
{
    public class ResizeJob
    {
        public string ImageId { get; set; }
        public int Width { get; set; }
        public object Options { get; set; }
    }

    public class JobConsumer
    {
        private readonly IChannel _channel;
        private readonly Func<ResizeJob, Task> _handler;

        public JobConsumer(IChannel channel, Func<ResizeJob, Task> handler)
        {
            _channel = channel;
            _handler = handler;
        }

        public async Task RunAsync(CancellationToken stop)
        {
            var consumer = new AsyncEventingBasicConsumer(_channel);
            consumer.ReceivedAsync += async (_, delivery) =>
            {
                var text = Encoding.UTF8.GetString(delivery.Body.Span);
                var job = JsonConvert.DeserializeObject<ResizeJob>(text, new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.None });
                if (job != null)
                    await _handler(job);
                await _channel.BasicAckAsync(delivery.DeliveryTag, multiple: false, cancellationToken: stop);
            };
            await _channel.BasicConsumeAsync("resize", autoAck: false, consumer: consumer, cancellationToken: stop);
        }
    }
}
