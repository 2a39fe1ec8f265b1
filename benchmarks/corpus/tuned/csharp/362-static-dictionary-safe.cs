using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;

var app = WebApplication.CreateBuilder(args).Build();
var visits = new ConcurrentDictionary<string, int>();

app.MapPost("/visit/{page}", (string page) =>
{
    visits.AddOrUpdate(page, 1, (_, count) => count + 1);
    return visits[page];
});

app.Run();
