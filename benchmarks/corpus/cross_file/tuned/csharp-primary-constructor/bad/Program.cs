using Files.Services;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddSingleton<IFileReader, FileReader>();
var app = builder.Build();

app.MapGet("/files", (string name, IFileReader reader) => reader.Read(name));

app.Run();
